"""Pairs of parts as one number each, and sorting in place, without allocation: the same order on every machine."""

from __future__ import annotations

from engine.jit import inline, kernel


@kernel
def pair_key(a, b):
    """Two whole numbers below 2^31 as one that sorts like the pair."""
    return a << 32 | b


@kernel
def key_first(key):
    return key >> 32


@kernel
def key_second(key):
    return key & 0x7FFFFFFF


@inline
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


@inline
def group_keys(keys, count, parts, start, out):
    """The first `count` pair keys, sorted, into `out`: by first number in two passes, then each group by insertion.

    start has parts + 1 places. Groups are small, so this is linear where a comparison sort is not."""
    for k in range(parts + 1):
        start[k] = 0
    for k in range(count):
        start[key_first(keys[k]) + 1] += 1
    for k in range(parts):
        start[k + 1] += start[k]
    for k in range(count):
        group = key_first(keys[k])
        out[start[group]] = keys[k]
        start[group] += 1
    for k in range(1, count):
        key = out[k]
        i = k
        while i > 0 and out[i - 1] > key:
            out[i] = out[i - 1]
            i -= 1
        out[i] = key


@inline
def merge_keys(keys, values, count, others, more):
    """Merge the sorted others[:more], of value 0, into the sorted keys[:count] with their values, in place from the
    end."""
    i, j = count - 1, more - 1
    for k in range(count + more - 1, -1, -1):
        if j < 0:
            return
        if i >= 0 and keys[i] > others[j]:
            keys[k] = keys[i]
            values[k] = values[i]
            i -= 1
        else:
            keys[k] = others[j]
            values[k] = 0.0
            j -= 1


@inline
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
