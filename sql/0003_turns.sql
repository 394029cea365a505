-- SPDX-License-Identifier: ISC
--
-- Schema version 3: play by turns.  Standing orders that nobody has seen yet,
-- who may see and join a game, when its turns ended, and for which side a
-- text is.

-- The text of a standing order (record S8.1) until it acts or the game ends;
-- it is never in the record before.
CREATE TABLE standing (
	game INTEGER NOT NULL REFERENCES game (gid),
	seq INTEGER NOT NULL CHECK (seq >= 0),
	seat INTEGER NOT NULL CHECK (seat BETWEEN 1 AND 16),
	salt BLOB NOT NULL CHECK (length(salt) = 32),
	text TEXT NOT NULL,
	PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

-- Whom the players of a game have asked to join.
CREATE TABLE invite_game (
	game INTEGER NOT NULL REFERENCES game (gid),
	account INTEGER NOT NULL REFERENCES account (id),
	at_ms INTEGER NOT NULL,
	PRIMARY KEY (game, account)
) STRICT, WITHOUT ROWID;

CREATE INDEX invite_game_account ON invite_game (account, game);

-- Whom an account does not want to play with.
CREATE TABLE block (
	account INTEGER NOT NULL REFERENCES account (id),
	blocked INTEGER NOT NULL REFERENCES account (id),
	PRIMARY KEY (account, blocked)
) STRICT, WITHOUT ROWID;

-- The lines that end turns, and as turn 0 the line with which play begins.
CREATE TABLE turn (
	game INTEGER NOT NULL REFERENCES game (gid),
	turn_no INTEGER NOT NULL CHECK (turn_no >= 0),
	seq INTEGER NOT NULL CHECK (seq >= 0),
	PRIMARY KEY (game, turn_no)
) STRICT, WITHOUT ROWID;

-- Everybody who has put a blob; blob.account is who was charged for it.
CREATE TABLE blob_put (
	hash BLOB NOT NULL REFERENCES blob (hash),
	account INTEGER NOT NULL REFERENCES account (id),
	PRIMARY KEY (hash, account)
) STRICT, WITHOUT ROWID;

INSERT INTO blob_put (hash, account) SELECT hash, account FROM blob;

CREATE INDEX line_blob_hash ON line_blob (hash);

-- The side that may read a text: 1 or 2; 0: everybody.
ALTER TABLE text ADD COLUMN side INTEGER NOT NULL DEFAULT 0
	CHECK (side BETWEEN 0 AND 2);

-- private: only those who sit in it or are invited know of the game.
-- invited: only those who are invited may join.  The delay with which
-- spectators see it, in turns or in minutes; 0: none.
ALTER TABLE game ADD COLUMN private INTEGER NOT NULL DEFAULT 0
	CHECK (private BETWEEN 0 AND 1);
ALTER TABLE game ADD COLUMN invited INTEGER NOT NULL DEFAULT 0
	CHECK (invited BETWEEN 0 AND 1);
ALTER TABLE game ADD COLUMN delay_turns INTEGER NOT NULL DEFAULT 0
	CHECK (delay_turns >= 0);
ALTER TABLE game ADD COLUMN delay_minutes INTEGER NOT NULL DEFAULT 0
	CHECK (delay_minutes >= 0);

-- By which the lobby sorts: at_ms, but while a game is played that is shown
-- with a delay that of the last line before play.
ALTER TABLE game ADD COLUMN listed_ms INTEGER NOT NULL DEFAULT 0;
UPDATE game SET listed_ms = at_ms;

DROP INDEX game_at;
DROP INDEX game_phase;
CREATE INDEX game_listed ON game (listed_ms, gid);
CREATE INDEX game_phase ON game (phase, listed_ms, gid);

-- 1: made by an umpired that kept less; umpired makes such a snapshot, and
-- the game's rows of turn, again from the record when it starts.
ALTER TABLE snapshot ADD COLUMN old INTEGER NOT NULL DEFAULT 0
	CHECK (old BETWEEN 0 AND 1);
UPDATE snapshot SET old = 1;

CREATE INDEX snapshot_old ON snapshot (old) WHERE old = 1;

PRAGMA user_version = 3;
