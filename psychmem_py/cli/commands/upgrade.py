"""psychmem setup upgrade: the newest state of the checkout, installed; says from what to what."""

from __future__ import annotations

from psychmem_py.cli import output
from psychmem_py.cli.app import examples, setup
from psychmem_py.cli.context import workspace_of
from psychmem_py.cli.registered import registered
from psychmem_py.installation import registration, upgrading


@setup.command(epilog=examples("psychmem setup upgrade", "psychmem setup upgrade --dry-run"), writes=True)
def upgrade() -> None:
    """Bring PsychMem to the newest state of the checkout it was installed from; your memories are copied before their schema changes."""
    workspace = workspace_of()
    folder, before = upgrading.source(workspace.env), upgrading.now()
    if not workspace.dry_run:
        upgrading.pulled(folder)
    after = upgrading.ahead(folder)
    if not workspace.dry_run:
        after = upgrading.put_in_place(folder)
        calling = [owner for owner, events in registered(workspace.env).items() if events]
        registration.register(calling, workspace.env, workspace.directories.data)
    if workspace.json:
        told = {"from": before._asdict(), "to": after._asdict(), "checkout": str(folder), "dry_run": workspace.dry_run}
        return output.print_json(told)
    if before == after and before.commit:
        return output.say(f"PsychMem {before} is what {folder} holds; nothing became newer.")
    what = "would become" if workspace.dry_run else "became"
    output.say(f"PsychMem {before} {what} {after}, from {folder}{' as it stands, before git pull' if workspace.dry_run else ''}.")
