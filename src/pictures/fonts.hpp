// Fonts of pictures on systems that have none.
#pragma once

namespace umov::pictures {

/// Where the system has no fontconfig of its own, that of the folder the program was unpacked in is used.
void find_fonts();

}  // namespace umov::pictures
