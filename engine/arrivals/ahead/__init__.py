"""Look-ahead: how every body of a resting structure arrived, one body at a time, with everything that rests frozen.

A body at rest before and after a step obeys the contact law under any impulse in its contact cones. So a candidate
arrival is one body's way back to the start of the take against bodies that do not move (flight.py), and for each
impulse it puts on a resting body one question: can the contacts below carry it (carry.py)? Accepted bodies become
moving obstacles for the next one. The tape is put together from the flights and the impulses that carried them
(assemble.py); the certificate then judges it like any other.
"""
