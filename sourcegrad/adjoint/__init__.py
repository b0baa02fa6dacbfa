"""What the reverse pass is made of: cotangents, contributions, snapshots."""
