-- SPDX-License-Identifier: ISC
--
-- Schema version 16: texts that lines name and that were lost with a backup.

-- A row stays when the text is back; without a row of "text" it is lost.  n
-- grows, so that a client can ask for those that it was not told of.
CREATE TABLE lost_text (
	n INTEGER PRIMARY KEY AUTOINCREMENT,
	game INTEGER NOT NULL REFERENCES game (gid),
	ref BLOB NOT NULL CHECK (length(ref) = 32),
	side INTEGER NOT NULL DEFAULT 0 CHECK (side BETWEEN 0 AND 2),
	UNIQUE (game, ref)
) STRICT;

INSERT INTO lost_text (game, ref)
	SELECT DISTINCT l.game, l.ref FROM line_text AS l
	WHERE NOT EXISTS (SELECT 1 FROM text AS t
		WHERE t.game = l.game AND t.ref = l.ref);

PRAGMA user_version = 16;
