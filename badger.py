from put_cli import SEE, Strategy, View


class Badger(Strategy):
    def act(self, view: View) -> int:
        if view.asked or view.must_speak:
            return SEE
        return max(card for card in view.cards if card)
