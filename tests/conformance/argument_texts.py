"""What a model writes when it calls the tool."""
import javascript as js


def text_of(todos, **more):
    """An argument text, compact."""
    return js.stringify({"todos": todos, **more})


def item(content, status="pending"):
    return {"content": content, "status": status}


def blocks(sequence, size):
    """The sequence in pieces of `size`, the last one shorter."""
    return [sequence[at:at + size] for at in range(0, len(sequence), size)]
