-- SPDX-License-Identifier: ISC
--
-- Schema version 18: records of tournaments of other servers, which tournaments
-- here continue.

-- One that an account brings; good once all of it is here and was verified.
CREATE TABLE former (
	fid INTEGER PRIMARY KEY,
	id BLOB NOT NULL CHECK (length(id) = 32),
	seq INTEGER NOT NULL CHECK (seq >= 0),
	head BLOB NOT NULL CHECK (length(head) = 32),
	account INTEGER NOT NULL REFERENCES account (id),
	lines INTEGER NOT NULL CHECK (lines BETWEEN 0 AND seq + 1),
	bytes INTEGER NOT NULL,
	good INTEGER NOT NULL CHECK (good BETWEEN 0 AND 1)
) STRICT;

-- Of a record that is good one copy will do; of others an account has one.
CREATE UNIQUE INDEX former_good ON former (id, head) WHERE good = 1;
CREATE UNIQUE INDEX former_begun ON former (account) WHERE good = 0;
CREATE INDEX former_account ON former (account, fid);

CREATE TABLE former_line (
	former INTEGER NOT NULL REFERENCES former (fid),
	seq INTEGER NOT NULL CHECK (seq >= 0),
	line BLOB NOT NULL,
	PRIMARY KEY (former, seq)
) STRICT;

-- Those that a tournament here goes back to, which are kept.
CREATE TABLE tournament_former (
	tournament INTEGER NOT NULL REFERENCES tournament (tid),
	former INTEGER NOT NULL REFERENCES former (fid),
	PRIMARY KEY (tournament, former)
) STRICT, WITHOUT ROWID;

CREATE INDEX tournament_former_former ON tournament_former (former);

PRAGMA user_version = 18;
