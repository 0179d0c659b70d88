// The built page, as the assembler takes it in. CMake says where the files are, and rebuilds when they
// change.
#include "view/page.hpp"

extern "C" {
extern const char umov_page_begin[], umov_page_end[], umov_policy_begin[], umov_policy_end[];
}

__asm__(
    ".section .rodata\n"
    ".global umov_page_begin, umov_page_end, umov_policy_begin, umov_policy_end\n"
    "umov_page_begin:\n"
    ".incbin \"" UMOV_PAGE
    "/index.html\"\n"
    "umov_page_end:\n"
    "umov_policy_begin:\n"
    ".incbin \"" UMOV_PAGE
    "/csp.txt\"\n"
    "umov_policy_end:\n"
    ".previous\n");

namespace umov::view {

std::string_view page() { return {umov_page_begin, std::size_t(umov_page_end - umov_page_begin)}; }

std::string_view page_policy() {
  std::string_view text{umov_policy_begin, std::size_t(umov_policy_end - umov_policy_begin)};
  return text.substr(0, text.find_last_not_of(" \r\n") + 1);
}

}  // namespace umov::view
