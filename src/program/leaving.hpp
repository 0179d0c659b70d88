// The end of the program.
#pragma once

namespace umov::program {

/// Ends the program with `code`, once all that it printed is out. What libraries would still do, the drivers
/// of GPUs above all, who give back what the system takes back anyway, is left out: it may take a tenth of a
/// second. With a sanitizer, which looks for leaks at the end, it returns.
void leave(int code);

}  // namespace umov::program
