"""Random programs: a generator of three grammars, a judge, a shrinker.

`python -m tests.fuzz --examples N --seed S` runs a campaign.
"""
