// The heading and the numbers of a picture's sheet.
#include "pictures/sheet.hpp"

namespace umov::pictures {

std::string grouped(std::size_t n) {
  std::string digits = std::to_string(n), out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += " ";
    out += digits[i];
  }
  return out;
}

void title(Canvas& c, std::string main, const std::string& caption) {
  if (!main.empty() && main[0] >= 'a' && main[0] <= 'z') main[0] -= 'a' - 'A';
  c.text({left_margin, 38}, main, 18, ink::text, Align::left, true);
  double size = 12;
  while (size > 8 && c.text_width(caption, size) > c.width() - 2 * left_margin) size -= 0.5;
  c.text({left_margin, 60}, caption, size, ink::muted);
}

}  // namespace umov::pictures
