"""From generated text to functions, whose errors name the lines of the primal."""
