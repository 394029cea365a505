-- SPDX-License-Identifier: ISC
--
-- Schema version 8: a round of imagi-nations ends with two passes in a row,
-- and rosters of leniston-2009 keep whom a brigade fought inside.  All games
-- are made again from their records; one whose lines are no longer what the
-- rules give is damaged.
UPDATE snapshot SET old = 1, hash = NULL;

PRAGMA user_version = 8;
