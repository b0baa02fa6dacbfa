"""Random programs: a generator of six grammars, a judge, a shrinker.

`python -m tests.fuzz --examples N --seed S` runs a campaign.
"""
