"""What verifying a run found, as text."""

from put_cli.report.tables import printable
from put_cli.verify.run import Verified

MOST_FAULTS = 50
"""Faults printed; --json has more."""


def verified_text(found: Verified, shown: str) -> str:
    """What was checked, or what is wrong; `shown` is the run as the user knows it."""
    counts = [f"  {count:>14,}  {what}" for what, count in found.findings.checked.items() if count]
    checked = found.findings.checked
    dealt = next((each for each in ("hands", "deals") if checked[f"{each} replayed"]), "")
    million = checked[f"{dealt} replayed"] / found.seconds / 1e6
    speed = f" ({million:.2f} million {dealt} a second)" if dealt else ""
    lines = []
    if found.sound:
        lines.append(f"{printable(shown)} is sound: everything checked is as it has to be.")
    else:
        count = found.findings.count
        lines.append(f"{printable(shown)} has {count:,} fault{'' if count == 1 else 's'}:")
        lines += [f"  {each}" for each in found.findings.faults[:MOST_FAULTS]]
        if count > MOST_FAULTS:
            lines.append(f"  ... and {count - min(MOST_FAULTS, count):,} more; --json lists them.")
    lines += ["", f"Checked in {found.seconds:.1f} s{speed}:", *counts]
    lines += ["", "Not checked:", *(f"  {each}" for each in found.unchecked)]
    return "\n".join(lines)
