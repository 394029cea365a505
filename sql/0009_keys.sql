-- SPDX-License-Identifier: ISC
--
-- Schema version 9: the keys of an account change by key statements.

-- The key that may reset all others, given when the account was made or
-- never; number and hash of the account's last statement.
ALTER TABLE account ADD COLUMN recovery BLOB CHECK (length(recovery) = 32);
CREATE UNIQUE INDEX account_recovery ON account (recovery);
ALTER TABLE account ADD COLUMN kn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN kprev BLOB CHECK (length(kprev) = 32);

-- A key that was dropped stays, so that it can never come back.
ALTER TABLE account_key ADD COLUMN ended INTEGER NOT NULL DEFAULT 0
	CHECK (ended BETWEEN 0 AND 1);
CREATE INDEX account_key_account ON account_key (account, key);

CREATE TABLE statement (
	account INTEGER NOT NULL REFERENCES account (id),
	n INTEGER NOT NULL,
	key BLOB NOT NULL CHECK (length(key) = 32),
	text TEXT NOT NULL,
	sig BLOB NOT NULL CHECK (length(sig) = 64),
	at_ms INTEGER NOT NULL,
	PRIMARY KEY (account, n)
) STRICT, WITHOUT ROWID;

-- A recovery key that stands in a record has a meaning now.
UPDATE snapshot SET old = 1, hash = NULL;

PRAGMA user_version = 9;
