-- SPDX-License-Identifier: ISC
--
-- Schema version 13: tournaments.  Their lines are the truth, and a tournament
-- is made from them; `tournament` holds what lists of tournaments need.

CREATE TABLE tournament (
	tid INTEGER PRIMARY KEY,
	id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
	event TEXT NOT NULL,
	system TEXT NOT NULL,
	format TEXT NOT NULL,
	director TEXT NOT NULL,
	private INTEGER NOT NULL CHECK (private BETWEEN 0 AND 1),
	phase TEXT NOT NULL,
	round INTEGER NOT NULL,
	rounds INTEGER NOT NULL,
	entrants INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX tournament_at ON tournament (at_ms, tid);

-- The lines, as in `record`; account is that of the order's author.
CREATE TABLE tournament_record (
	tournament INTEGER NOT NULL REFERENCES tournament (tid),
	seq INTEGER NOT NULL CHECK (seq >= 0),
	line BLOB NOT NULL,
	hash BLOB NOT NULL CHECK (length(hash) = 32),
	oid BLOB CHECK (length(oid) = 32),
	account TEXT,
	nonce BLOB CHECK (length(nonce) = 16),
	PRIMARY KEY (tournament, seq),
	CHECK ((oid IS NULL) = (account IS NULL)),
	CHECK ((oid IS NULL) = (nonce IS NULL))
) STRICT;

CREATE UNIQUE INDEX tournament_record_oid ON tournament_record (tournament, oid)
	WHERE oid IS NOT NULL;
CREATE UNIQUE INDEX tournament_record_nonce
	ON tournament_record (tournament, account, nonce)
	WHERE nonce IS NOT NULL;

-- What people write, and which line names which text or blob.
CREATE TABLE tournament_text (
	tournament INTEGER NOT NULL REFERENCES tournament (tid),
	ref BLOB NOT NULL CHECK (length(ref) = 32),
	salt BLOB NOT NULL CHECK (length(salt) = 32),
	value BLOB NOT NULL,
	PRIMARY KEY (tournament, ref)
) STRICT;

CREATE TABLE tournament_line_text (
	tournament INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	ref BLOB NOT NULL CHECK (length(ref) = 32),
	PRIMARY KEY (tournament, seq, ref),
	FOREIGN KEY (tournament, seq) REFERENCES tournament_record (tournament, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE tournament_line_blob (
	tournament INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	hash BLOB NOT NULL REFERENCES blob (hash),
	PRIMARY KEY (tournament, seq, hash),
	FOREIGN KEY (tournament, seq) REFERENCES tournament_record (tournament, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX tournament_line_blob_hash ON tournament_line_blob (hash);

-- Who is here: whom its lines name.  number is that of the entrant.
CREATE TABLE tournament_account (
	tournament INTEGER NOT NULL REFERENCES tournament (tid),
	account INTEGER NOT NULL REFERENCES account (id),
	number INTEGER CHECK (number >= 1),
	PRIMARY KEY (tournament, account)
) STRICT, WITHOUT ROWID;

CREATE INDEX tournament_account_account
	ON tournament_account (account, tournament);

-- The games that a line `game` names.
CREATE TABLE tournament_game (
	game INTEGER PRIMARY KEY REFERENCES game (gid),
	tournament INTEGER NOT NULL REFERENCES tournament (tid),
	round INTEGER NOT NULL,
	table_no INTEGER NOT NULL,
	leg INTEGER NOT NULL
) STRICT;

PRAGMA user_version = 13;
