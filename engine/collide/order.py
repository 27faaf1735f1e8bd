"""Sorting in place, without allocation: the same order on every machine."""

from __future__ import annotations

from engine.jit import kernel


@kernel
def sort_keys(keys, count):
    """Sort the first `count` whole numbers upward (heap sort)."""
    for root in range(count // 2 - 1, -1, -1):
        sift(keys, root, count)
    for end in range(count - 1, 0, -1):
        keys[0], keys[end] = keys[end], keys[0]
        sift(keys, 0, end)


@kernel
def sift(keys, root, count):
    """Let keys[root] sink until the heap below it is in order."""
    value = keys[root]
    while True:
        child = 2 * root + 1
        if child >= count:
            break
        if child + 1 < count and keys[child + 1] > keys[child]:
            child += 1
        if keys[child] <= value:
            break
        keys[root] = keys[child]
        root = child
    keys[root] = value


@kernel
def split_at_median(items, low, high, boxes, axis):
    """Reorder items[low:high] so that the middle one has the median box centre on `axis` (quickselect)."""
    middle = (low + high) // 2
    high -= 1
    while low < high:
        pivot = centre(boxes, items[(low + high) // 2], axis)
        i, j = low, high
        while i <= j:
            while centre(boxes, items[i], axis) < pivot:
                i += 1
            while centre(boxes, items[j], axis) > pivot:
                j -= 1
            if i <= j:
                items[i], items[j] = items[j], items[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return middle
    return middle


@kernel
def centre(boxes, i, axis):
    """Twice the centre of box i on an axis."""
    return boxes[i, axis] + boxes[i, axis + 3]
