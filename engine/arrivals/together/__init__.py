"""All bodies go back together, by a plan that was made before: hints, times of arrival, random landings, a policy for
the coefficients of collisions, and remedies of others. It suits every ending, and explains what it can."""
