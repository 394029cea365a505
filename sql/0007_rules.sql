-- SPDX-License-Identifier: ISC
--
-- Schema version 7: the rules tell some combats otherwise, and rosters keep
-- more of a unit.  All games are made again from their records; one whose
-- lines are no longer what the rules give is damaged.
UPDATE snapshot SET old = 1, hash = NULL;

PRAGMA user_version = 7;
