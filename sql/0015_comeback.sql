-- SPDX-License-Identifier: ISC
--
-- Schema version 15: tournaments of which lines may be missing, as rows of
-- `standstill` are games; and texts of tournaments that were erased, counted as
-- those of games are.

CREATE TABLE tournament_wait (
	tournament INTEGER PRIMARY KEY REFERENCES tournament (tid),
	from_ms INTEGER NOT NULL,
	why TEXT NOT NULL
) STRICT;

ALTER TABLE tournament_text ADD COLUMN erased INTEGER CHECK (erased >= 1);
CREATE UNIQUE INDEX tournament_text_erased
	ON tournament_text (tournament, erased) WHERE erased IS NOT NULL;

CREATE INDEX tournament_line_text_ref
	ON tournament_line_text (tournament, ref, seq);
CREATE INDEX tournament_game_tournament
	ON tournament_game (tournament, round, table_no, leg);

PRAGMA user_version = 15;
