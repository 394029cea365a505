-- SPDX-License-Identifier: ISC
--
-- Schema version 17: what a list says of a game in words, how it ended, and
-- lists of a system's games and of an event's.

-- What the game is called, and how it stands after its last line.  how is ''
-- while it is undecided, winner the side, 0 for none.
ALTER TABLE game ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN now TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN how TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN winner INTEGER NOT NULL DEFAULT 0
	CHECK (winner BETWEEN 0 AND 2);

-- They follow from the record.
UPDATE snapshot SET old = 1;

-- What everybody may list.
CREATE INDEX game_public_system ON game (system, listed_ms, gid)
	WHERE private = 0;
CREATE INDEX game_public_system_phase ON game (system, phase, listed_ms, gid)
	WHERE private = 0;
CREATE INDEX game_public_event ON game (event, listed_ms, gid)
	WHERE private = 0 AND event <> '';

PRAGMA user_version = 17;
