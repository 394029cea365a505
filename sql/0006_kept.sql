-- SPDX-License-Identifier: ISC
--
-- Schema version 6: what is kept beside the record is not believed unless it
-- fits, and time in which no orders could be given is counted for nobody.

-- H("umpire/snapshot/1", 0, hash of the game's last line, bytes).  Snapshots
-- without one are made again from the record when umpired starts.
ALTER TABLE snapshot ADD COLUMN hash BLOB CHECK (length(hash) = 32);
UPDATE snapshot SET old = 1;

-- Times in which no orders were taken: of a game that is damaged, or of all
-- games (game is NULL).  to_ms is NULL while that lasts.
CREATE TABLE standstill (
	id INTEGER PRIMARY KEY,
	game INTEGER REFERENCES game (gid),
	from_ms INTEGER NOT NULL,
	to_ms INTEGER,
	why TEXT NOT NULL
) STRICT;

CREATE INDEX standstill_game ON standstill (game, from_ms);
CREATE INDEX standstill_open ON standstill (to_ms, game);

PRAGMA user_version = 6;
