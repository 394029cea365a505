-- SPDX-License-Identifier: ISC
--
-- Schema version 1.  The record's lines are the truth; `game` and `snapshot`
-- hold what the lines say of a game, kept beside them so that an order costs
-- the same in a long game as in a short one.  Times are milliseconds since
-- 1970-01-01T00:00:00Z.  This file never changes once it is released.

PRAGMA application_id = 1970106482;
PRAGMA user_version = 1;

-- Who may log in.  blob_bytes is what the account has put, for its limit.
CREATE TABLE account (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	display TEXT NOT NULL,
	blob_bytes INTEGER NOT NULL DEFAULT 0 CHECK (blob_bytes >= 0),
	at_ms INTEGER NOT NULL
) STRICT;

-- Ed25519 keys by which accounts log in; a key belongs to one account.
CREATE TABLE account_key (
	key BLOB NOT NULL PRIMARY KEY CHECK (length(key) = 32),
	account INTEGER NOT NULL REFERENCES account (id),
	at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One-time codes that were used, by their hash.
CREATE TABLE invite (
	hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
	account INTEGER NOT NULL REFERENCES account (id),
	at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Rosters, tables and bags, by the hash of their bytes.
CREATE TABLE blob (
	hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
	bytes BLOB NOT NULL,
	account INTEGER NOT NULL REFERENCES account (id),
	at_ms INTEGER NOT NULL
) STRICT;

-- A game as the lobby lists it; seq and at_ms are those of its last line.
CREATE TABLE game (
	gid INTEGER PRIMARY KEY,
	id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
	system TEXT NOT NULL,
	event TEXT NOT NULL,
	phase TEXT NOT NULL,
	account_1 TEXT NOT NULL,
	account_2 TEXT NOT NULL,
	turn INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX game_at ON game (at_ms, gid);
CREATE INDEX game_phase ON game (phase, at_ms, gid);

-- The state of a game after its last line.
CREATE TABLE snapshot (
	game INTEGER PRIMARY KEY REFERENCES game (gid),
	bytes BLOB NOT NULL
) STRICT;

-- Who sits where.
CREATE TABLE seat (
	game INTEGER NOT NULL REFERENCES game (gid),
	seat INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 16),
	account INTEGER NOT NULL REFERENCES account (id),
	PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seat_account ON seat (account, game);

-- The lines, as the bytes that were sent out, without their line feed.
-- Server lines have no oid, seat and nonce; pool and place stand only with
-- a line that draws dice or moves the pool.
CREATE TABLE record (
	game INTEGER NOT NULL REFERENCES game (gid),
	seq INTEGER NOT NULL CHECK (seq >= 0),
	line BLOB NOT NULL,
	hash BLOB NOT NULL CHECK (length(hash) = 32),
	oid BLOB CHECK (length(oid) = 32),
	seat INTEGER,
	nonce BLOB CHECK (length(nonce) = 16),
	pool BLOB CHECK (length(pool) = 32),
	place TEXT,
	PRIMARY KEY (game, seq),
	CHECK ((oid IS NULL) = (seat IS NULL)),
	CHECK ((oid IS NULL) = (nonce IS NULL)),
	CHECK ((pool IS NULL) = (place IS NULL))
) STRICT;

CREATE UNIQUE INDEX record_oid ON record (game, oid)
	WHERE oid IS NOT NULL;
CREATE UNIQUE INDEX record_nonce ON record (game, seat, nonce)
	WHERE nonce IS NOT NULL;
CREATE UNIQUE INDEX record_place ON record (game, pool, place)
	WHERE place IS NOT NULL;

-- What people write.  Erasing deletes the row; the line keeps its hash.
CREATE TABLE text (
	game INTEGER NOT NULL REFERENCES game (gid),
	ref BLOB NOT NULL CHECK (length(ref) = 32),
	salt BLOB NOT NULL CHECK (length(salt) = 32),
	value BLOB NOT NULL,
	PRIMARY KEY (game, ref)
) STRICT;

-- Which line names which text or blob.
CREATE TABLE line_text (
	game INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	ref BLOB NOT NULL CHECK (length(ref) = 32),
	PRIMARY KEY (game, seq, ref),
	FOREIGN KEY (game, seq) REFERENCES record (game, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE line_blob (
	game INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	hash BLOB NOT NULL REFERENCES blob (hash),
	PRIMARY KEY (game, seq, hash),
	FOREIGN KEY (game, seq) REFERENCES record (game, seq)
) STRICT, WITHOUT ROWID;
