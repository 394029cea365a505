-- SPDX-License-Identifier: ISC
--
-- Schema version 4: telling people who are not connected that a game waits
-- for them.

-- Where an account wants to be told; one address of each kind, which is used
-- once the code that was sent there was said.  code is NULL if none may be
-- said (any more).  No id is ever given twice, here and in notice: the answer
-- of a try that is under way must not be taken for another row's.
CREATE TABLE address (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account INTEGER NOT NULL REFERENCES account (id),
	kind TEXT NOT NULL CHECK (kind IN ('mail', 'webhook')),
	value TEXT NOT NULL,
	at_ms INTEGER NOT NULL,
	confirmed INTEGER NOT NULL DEFAULT 0 CHECK (confirmed BETWEEN 0 AND 1),
	code TEXT,
	wrong INTEGER NOT NULL DEFAULT 0 CHECK (wrong >= 0),
	-- Tries to send the code; next_ms: when to try (again), NULL: not.
	tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
	next_ms INTEGER,
	-- Of all that went there: the last success, the last failure, and how
	-- many messages in a row were given up.
	sent_ms INTEGER,
	failed_ms INTEGER,
	error TEXT,
	failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
	UNIQUE (account, kind),
	CHECK (confirmed = 0 OR code IS NULL),
	CHECK (next_ms IS NULL OR code IS NOT NULL)
) STRICT;

CREATE INDEX address_next ON address (kind, next_ms)
	WHERE next_ms IS NOT NULL;

-- When an account does not want to be told: minutes of the day on a clock
-- that is offset_min minutes ahead of UTC; from_min > to_min is over midnight.
CREATE TABLE quiet (
	account INTEGER PRIMARY KEY REFERENCES account (id),
	offset_min INTEGER NOT NULL CHECK (offset_min BETWEEN -840 AND 840),
	from_min INTEGER NOT NULL CHECK (from_min BETWEEN 0 AND 1439),
	to_min INTEGER NOT NULL CHECK (to_min BETWEEN 0 AND 1439)
) STRICT;

-- What waits for an account in a game, a row for each way to tell it.  The
-- rows go when it no longer waits, in the transaction of the line that ends
-- it; next_ms is NULL once it was sent or given up.
CREATE TABLE notice (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	game INTEGER NOT NULL REFERENCES game (gid),
	account INTEGER NOT NULL REFERENCES account (id),
	what TEXT NOT NULL,
	since INTEGER NOT NULL CHECK (since >= 0),
	channel TEXT NOT NULL CHECK (channel IN ('command', 'mail', 'webhook')),
	at_ms INTEGER NOT NULL,
	until_ms INTEGER,
	tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
	next_ms INTEGER,
	UNIQUE (game, account, what, since, channel)
) STRICT;

CREATE INDEX notice_account ON notice (account, channel);
CREATE INDEX notice_next ON notice (channel, next_ms, account)
	WHERE next_ms IS NOT NULL;

PRAGMA user_version = 4;
