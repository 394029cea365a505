/* SPDX-License-Identifier: ISC */
/* What the tests of tlnb share: facts in few words, a quoted_text(). */
#ifndef UMPIRE_TESTS_LIB_TLNB_H
#define UMPIRE_TESTS_LIB_TLNB_H

#define ATTACK(attackers, defenders)                                           \
	"{'kind':'attack','attackers':[" attackers "],'defenders':[" defenders \
	"]}"
#define FIRE(batteries, units)                          \
	"{'kind':'bombardment','batteries':[" batteries \
	"],'target':{'units':[" units "]}}"

#define UNIT(id, arm, sp, initiative, more)       \
	"{'id':'" id "','arm':'" arm "','sp':" sp \
	",'initiative':" initiative more "}"

#endif
