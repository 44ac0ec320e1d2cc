# SPDX-License-Identifier: MIT
# Sphinx's settings; tools/build-docs runs it.
import pathlib

project = 'gtdbg'
copyright = 'the authors of gtdbg'
version = release = (pathlib.Path(__file__).parent.parent
                     / 'VERSION').read_text().strip()
extensions = []
html_theme = 'classic'
html_show_copyright = False
highlight_language = 'none'
primary_domain = 'c'
c_id_attributes = ['GTDBG_API']
