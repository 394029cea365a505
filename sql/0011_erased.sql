-- SPDX-License-Identifier: ISC
--
-- Schema version 11: texts that were erased.

-- The how manieth of its game that was; salt and value are empty then.  The
-- row stays, so that the text does not come back.
ALTER TABLE text ADD COLUMN erased INTEGER CHECK (erased >= 1);
CREATE UNIQUE INDEX text_erased ON text (game, erased)
	WHERE erased IS NOT NULL;

-- Which lines name a text.
CREATE INDEX line_text_ref ON line_text (game, ref, seq);

PRAGMA user_version = 11;
