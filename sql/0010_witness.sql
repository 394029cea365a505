-- SPDX-License-Identifier: ISC
--
-- Schema version 10: a game may have a witness, who sits in seat 254
-- (record S6.9).

CREATE TABLE seat_of (
	game INTEGER NOT NULL REFERENCES game (gid),
	seat INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 16 OR seat = 254),
	account INTEGER NOT NULL REFERENCES account (id),
	private INTEGER NOT NULL DEFAULT 0 CHECK (private BETWEEN 0 AND 1),
	PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

INSERT INTO seat_of (game, seat, account, private)
	SELECT game, seat, account, private FROM seat;

DROP TABLE seat;
ALTER TABLE seat_of RENAME TO seat;

CREATE INDEX seat_account ON seat (account, game);
CREATE INDEX seat_private ON seat (account, private, game);

PRAGMA user_version = 10;
