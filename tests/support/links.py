"""Logs, and directories of them, that lie elsewhere: behind links."""
import os
import shutil


def move_behind_link(place, there):
    """Moves a file or a directory; a link to it stays in its place."""
    shutil.move(place, there)
    place.symlink_to(there)


def lead(link, there):
    """Lets a link lead elsewhere, from one moment to the next."""
    new = link.with_name("new-link")
    new.symlink_to(there)
    os.replace(new, link)


def copy_changed(tree, copy, old, new):
    """Copies a log, or a directory of one log, in which `new` stands in the place of `old`."""
    (shutil.copytree if tree.is_dir() else shutil.copyfile)(tree, copy)
    (log,) = copy.rglob("session.jsonl") if copy.is_dir() else [copy]
    log.write_bytes(log.read_bytes().replace(old, new))
