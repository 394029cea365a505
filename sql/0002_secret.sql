-- SPDX-License-Identifier: ISC
--
-- Schema version 2: secret choices that are held until both sides' are in
-- (record S8).  A row lives from the first commit to the line that opens
-- both, or to the end of its combat; it is never in the record before.

CREATE TABLE secret (
	game INTEGER NOT NULL REFERENCES game (gid),
	seat INTEGER NOT NULL CHECK (seat BETWEEN 1 AND 16),
	ask INTEGER NOT NULL CHECK (ask >= 0),
	salt BLOB NOT NULL CHECK (length(salt) = 32),
	text TEXT NOT NULL,
	PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 2;
