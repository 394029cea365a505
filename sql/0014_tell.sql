-- SPDX-License-Identifier: ISC
--
-- Schema version 14: what is told of tournaments, in the rows in which games
-- are.  due_ms is when it is to be told where that is not at once; data says
-- what it is about.

ALTER TABLE notice RENAME TO notice_game;
DROP INDEX notice_account;
DROP INDEX notice_next;

CREATE TABLE notice (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	game INTEGER REFERENCES game (gid),
	tournament INTEGER REFERENCES tournament (tid),
	account INTEGER NOT NULL REFERENCES account (id),
	what TEXT NOT NULL,
	since INTEGER NOT NULL CHECK (since >= 0),
	round INTEGER NOT NULL DEFAULT 0,
	table_no INTEGER NOT NULL DEFAULT 0,
	leg INTEGER NOT NULL DEFAULT 0,
	channel TEXT NOT NULL CHECK (channel IN ('command', 'mail', 'webhook')),
	at_ms INTEGER NOT NULL,
	until_ms INTEGER,
	tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
	due_ms INTEGER,
	next_ms INTEGER,
	data TEXT,
	UNIQUE (game, account, what, since, channel),
	CHECK ((game IS NULL) <> (tournament IS NULL)),
	CHECK ((data IS NULL) = (tournament IS NULL))
) STRICT;

INSERT INTO notice (id, game, account, what, since, channel, at_ms, until_ms,
	tries, next_ms)
	SELECT id, game, account, what, since, channel, at_ms, until_ms, tries,
	next_ms FROM notice_game;

-- No id is ever given twice.
DELETE FROM sqlite_sequence WHERE name = 'notice';
INSERT INTO sqlite_sequence (name, seq)
	SELECT 'notice', seq FROM sqlite_sequence WHERE name = 'notice_game';
DROP TABLE notice_game;

CREATE INDEX notice_account ON notice (account, channel);
CREATE INDEX notice_next ON notice (channel, next_ms, account)
	WHERE next_ms IS NOT NULL;
CREATE UNIQUE INDEX notice_tournament ON notice (tournament, account, what,
	since, round, table_no, leg, channel) WHERE tournament IS NOT NULL;

PRAGMA user_version = 14;
