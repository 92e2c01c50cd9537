"""Has fifty parameters."""

from dataclasses import dataclass

from put_cli import SEE, Strategy, View


@dataclass(frozen=True)
class Hostile(Strategy):
    p0: int = 0
    p1: int = 1
    p2: int = 2
    p3: int = 3
    p4: int = 4
    p5: int = 5
    p6: int = 6
    p7: int = 7
    p8: int = 8
    p9: int = 9
    p10: int = 10
    p11: int = 11
    p12: int = 12
    p13: int = 13
    p14: int = 14
    p15: int = 15
    p16: int = 16
    p17: int = 17
    p18: int = 18
    p19: int = 19
    p20: int = 20
    p21: int = 21
    p22: int = 22
    p23: int = 23
    p24: int = 24
    p25: int = 25
    p26: int = 26
    p27: int = 27
    p28: int = 28
    p29: int = 29
    p30: int = 30
    p31: int = 31
    p32: int = 32
    p33: int = 33
    p34: int = 34
    p35: int = 35
    p36: int = 36
    p37: int = 37
    p38: int = 38
    p39: int = 39
    p40: int = 40
    p41: int = 41
    p42: int = 42
    p43: int = 43
    p44: int = 44
    p45: int = 45
    p46: int = 46
    p47: int = 47
    p48: int = 48
    p49: int = 49

    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        return view.highest if self.p49 > self.p0 else view.lowest
