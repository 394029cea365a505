-- SPDX-License-Identifier: ISC
--
-- Schema version 5: lists of games that cost what they show, however many
-- private games there are, and who opened which game.

-- Who opened the game.  NULL in games that had begun before this version.
ALTER TABLE game ADD COLUMN opener INTEGER REFERENCES account (id);
UPDATE game SET opener = (SELECT seat.account FROM record CROSS JOIN seat
	WHERE record.game = gid AND record.seq = 0
	AND seat.game = gid AND seat.seat = record.seat)
	WHERE phase = 'muster';

-- What everybody may list, by time and by id; private games are found through
-- those who sit in them or are invited.
DROP INDEX game_listed;
DROP INDEX game_phase;
CREATE INDEX game_public ON game (listed_ms, gid) WHERE private = 0;
CREATE INDEX game_public_phase ON game (phase, listed_ms, gid)
	WHERE private = 0;
CREATE INDEX game_public_id ON game (id) WHERE private = 0;

-- The games of an account that have not begun.
CREATE INDEX game_muster ON game (opener, private, listed_ms, gid)
	WHERE phase = 'muster';

-- The same as in game, so that a list of an account's games need not look.
ALTER TABLE seat ADD COLUMN private INTEGER NOT NULL DEFAULT 0
	CHECK (private BETWEEN 0 AND 1);
UPDATE seat SET private = 1 WHERE game IN
	(SELECT gid FROM game WHERE private = 1);
CREATE INDEX seat_private ON seat (account, private, game);

-- 1: the game has begun or was cancelled; the invitation is worth nothing.
ALTER TABLE invite_game ADD COLUMN ended INTEGER NOT NULL DEFAULT 0
	CHECK (ended BETWEEN 0 AND 1);
UPDATE invite_game SET ended = 1 WHERE game IN
	(SELECT gid FROM game WHERE phase <> 'muster');
CREATE INDEX invite_game_open ON invite_game (account, game) WHERE ended = 0;

-- Blobs that a line of a game names that is not private.
CREATE TABLE blob_public (
	hash BLOB NOT NULL PRIMARY KEY REFERENCES blob (hash)
) STRICT, WITHOUT ROWID;

INSERT INTO blob_public (hash) SELECT DISTINCT hash FROM line_blob
	CROSS JOIN game ON gid = line_blob.game WHERE private = 0;

PRAGMA user_version = 5;
