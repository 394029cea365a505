-- SPDX-License-Identifier: ISC
--
-- Schema version 12: the last line of every game is kept in a file beside the
-- database, too, so that a backup that is put back is noticed.

-- One row, once that file was made: it must be there from then on.
CREATE TABLE heads (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	kept_ms INTEGER NOT NULL
) STRICT;

PRAGMA user_version = 12;
