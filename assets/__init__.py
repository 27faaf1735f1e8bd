"""Files the program ships: the look, icons, fonts, shaders, example scenes, pictures."""
