// Reading pages of the refractiveindex.info database: the blocks of their DATA, tabulated or by formula.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "core/text.hpp"
#include "materials/nk_blocks.hpp"

namespace umov::materials {

namespace {

constexpr const char* known_types = "tabulated nk, tabulated n, tabulated k and formula 1 to 9";

/// The key of a line "key: value"; empty where it has none.
std::string_view key_of(std::string_view line) {
  const std::string_view key = line.substr(0, std::min(line.find(':'), line.size()));
  const bool word = std::ranges::all_of(key, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return word && key.size() < line.size() &&
                 std::isalpha(static_cast<unsigned char>(key.empty() ? '0' : key[0]))
             ? key
             : std::string_view();
}

/// A key of the page itself: those of blocks are small.
bool is_section(std::string_view line) {
  const std::string_view key = key_of(line);
  return !key.empty() && std::ranges::all_of(key, [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// A line of YAML up to its remark: # at its beginning or after a blank, outside of quotes.
std::string_view without_remark(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
    if (quote)
      quote = line[i] == quote ? 0 : quote;
    else if (begins && (line[i] == '"' || line[i] == '\''))
      quote = line[i];
    else if (begins && line[i] == '#')
      return trim(line.substr(0, i));
  }
  return line;
}

/// Where a document of YAML ends or another one begins.
bool ends_document(std::string_view line) { return line == "..." || line == "---"; }

struct PageEntry {
  std::size_t line = 0;
  std::string text;
};

/// One item of the list DATA.
struct Block {
  std::size_t line = 0;
  std::map<std::string, PageEntry, std::less<>> entries;
  std::vector<std::size_t> rows;  ///< lines behind `data: |`

  const PageEntry* find(std::string_view key) const {
    const auto at = entries.find(key);
    return at == entries.end() ? nullptr : &at->second;
  }
};

void add_entry(const Lines& lines, std::size_t i, std::string_view line, Block& block) {
  const std::string key(key_of(line));
  if (key.empty()) lines.refuse(i, fmt::format("'{}' is no `key: value` of a block; correct it", line));
  std::string_view text = trim(line.substr(key.size() + 1));
  if (text.size() > 1 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0])
    text = text.substr(1, text.size() - 2);
  if (!block.entries.emplace(key, PageEntry{i, std::string(text)}).second)
    lines.refuse(i, fmt::format("{} is given twice in one block (which holds?); keep one", key));
}

/// Whether the value of a key is a text of several lines: `|` as they are, `>` in one, with + or - and
/// digits.
bool begins_text(std::string_view value) {
  return !value.empty() && (value[0] == '|' || value[0] == '>') &&
         value.find_first_not_of("+-0123456789", 1) == std::string_view::npos;
}

/// The line after such a text, whose lines lie farther in than its key's; i without one.
std::size_t after_text(const Lines& lines, std::size_t i) {
  const std::string_view line = without_remark(lines[i]);
  const std::string_view item = line.starts_with("- ") ? trim(line.substr(1)) : line;
  const std::string_view key = key_of(item);
  if (key.empty() || !begins_text(trim(item.substr(key.size() + 1)))) return i;
  const std::size_t column = lines.indent(i) + (line.size() - item.size());
  for (++i; i < lines.size() && (lines[i].empty() || lines.indent(i) > column);) ++i;
  return i;
}

/// The blocks of DATA; other sections may have lists of their own.
std::vector<Block> blocks_of(const Lines& lines) {
  std::size_t i = 0;
  while (i < lines.size() && !(is_section(lines[i]) && key_of(lines[i]) == "DATA"))
    i = std::max(i + 1, after_text(lines, i));
  if (i == lines.size())
    lines.refuse(0,
                 "no DATA in the page (which lists n and k in blocks `- type: ...`); give a page of n and k");
  std::vector<Block> blocks;
  bool in_rows = false;
  const auto skip_text = [&](std::size_t& at) {
    if (!in_rows) at = std::max(at + 1, after_text(lines, at)) - 1;
  };
  for (++i; i < lines.size() && !is_section(lines[i]) && !ends_document(lines[i]); ++i) {
    const std::string_view line = without_remark(lines[i]);
    if (line.empty()) continue;
    if (line == "-" || line.starts_with("- ")) {
      blocks.push_back({i, {}, {}});
      const std::string_view first = trim(line.substr(1));
      if (!first.empty()) add_entry(lines, i, first, blocks.back());
      in_rows = key_of(first) == "data";
      skip_text(i);
    } else if (blocks.empty()) {
      lines.refuse(i, fmt::format("'{}' stands before the first block of DATA (a block begins with `- type: "
                                  "...`); begin it so",
                                  line));
    } else if (in_rows && key_of(line).empty()) {
      blocks.back().rows.push_back(i);
    } else {
      add_entry(lines, i, line, blocks.back());
      in_rows = key_of(line) == "data";
      skip_text(i);
    }
  }
  return blocks;
}

std::vector<double> numbers_in(const Lines& lines, const Block& block, const PageEntry* entry,
                               const char* key) {
  if (!entry)
    lines.refuse(block.line, fmt::format("no {} in this block (its type needs them); add them", key));
  const auto numbers = numbers_of(entry->text);
  if (!numbers)
    lines.refuse(entry->line, fmt::format("'{}' are no numbers; give them parted by blanks", entry->text));
  return *numbers;
}

/// A formula and the wavelengths where it holds.
struct RangedFormula {
  std::size_t line = 0;
  DispersionFormula formula;
  double low = 0, high = 0;
};

RangedFormula read_formula(const Lines& lines, const Block& block, int kind) {
  // Older pages call it range.
  const PageEntry* range =
      block.find("wavelength_range") ? block.find("wavelength_range") : block.find("range");
  const auto ends = numbers_in(lines, block, range, "wavelength_range");
  if (ends.size() != 2 || !(ends[0] > 0) || !(ends[1] > ends[0]))
    lines.refuse(range->line, "its wavelength_range is not two rising wavelengths in um; correct it");
  const PageEntry* coefficients = block.find("coefficients");
  RangedFormula out{
      block.line, {kind, numbers_in(lines, block, coefficients, "coefficients")}, ends[0], ends[1]};
  if (const auto problem = wrong_count(out.formula); !problem.empty())
    lines.refuse(coefficients->line, problem);
  return out;
}

/// Adds wavelengths from one end to the other, in equal ratios.
void add_samples(double low, double high, std::vector<double>& wavelengths) {
  constexpr int samples = 100;
  for (int i = 0; i + 1 < samples; ++i)
    wavelengths.push_back(low * std::pow(high / low, i / (samples - 1.0)));
  wavelengths.push_back(high);
}

/// Samples of n over all of its range, and as many where k is known, too.
Curve sample(const Lines& lines, const RangedFormula& f, const Curve& k) {
  std::vector<double> wavelengths;
  add_samples(f.low, f.high, wavelengths);
  if (!k.value.empty()) {
    const double low = std::max(f.low, std::ranges::min(k.wavelength_um));
    const double high = std::min(f.high, std::ranges::max(k.wavelength_um));
    if (low < high && (low > f.low || high < f.high)) add_samples(low, high, wavelengths);
  }
  std::ranges::sort(wavelengths);
  const auto twice = std::ranges::unique(wavelengths);
  wavelengths.erase(twice.begin(), twice.end());
  Curve n;
  for (const double w : wavelengths) {
    const double value = f.formula.n(w);
    if (!std::isfinite(value)) lines.refuse(f.line, fmt::format("its formula has no value at {} um", w));
    add_row(lines, f.line, n, w, value, true);
  }
  return n;
}

/// What stands between < and > is markup.
std::string without_markup(const std::string& line) {
  std::string out;
  bool inside = false;
  for (const char c : line) {
    inside = inside || c == '<';
    if (!inside) out += c;
    if (c == '>') inside = false;
  }
  return out;
}

/// The text of REFERENCES in one line, up to the next key in capitals.
std::string citation_of(const Lines& lines) {
  std::string out;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::string key(key_of(line));
    std::string text = line;
    if (!inside && is_section(line) && key != "REFERENCES") {
      i = std::max(i + 1, after_text(lines, i)) - 1;
      continue;
    }
    if (is_section(line)) {
      inside = key == "REFERENCES";
      text = std::string(trim(without_remark(trim(std::string_view(line).substr(key.size() + 1)))));
    }
    if (line.starts_with('#') || ends_document(line)) continue;
    text = without_markup(text);
    if (inside && !text.empty() && text[0] != '|' && text[0] != '>')
      out += (out.empty() ? "" : " ") + text.substr(text[0] == '"' ? 1 : 0);
  }
  if (out.ends_with('"')) out.pop_back();
  return out;
}

/// Rows of wavelength and `columns`, n and k in that order.
void read_rows(const Lines& lines, const Block& block, std::string_view columns, Curve& n, Curve& k) {
  const PageEntry* data = block.find("data");
  if (!data || !begins_text(data->text))
    lines.refuse(data ? data->line : block.line,
                 "no rows in this block (its type needs them); add `data: |` and rows below it");
  for (const std::size_t i : block.rows) {
    const std::string_view line = without_remark(lines[i]);
    const auto row = numbers_of(line);
    if (!row)
      lines.refuse(i, fmt::format("'{}' is no row of numbers (wanted: wavelength in um, {})", line, columns));
    if (row->size() != columns.size() + 1)
      lines.refuse(
          i, fmt::format("{} numbers (wanted: wavelength in um, {}); correct it", row->size(), columns));
    for (std::size_t c = 0; c < columns.size(); ++c)
      add_row(lines, i, columns[c] == 'n' ? n : k, (*row)[0], (*row)[c + 1], columns[c] == 'n');
  }
}

/// A page as it fills: each of n and k comes from one block.
class Page {
 public:
  explicit Page(const Lines& lines) : lines_(lines) {}

  void take(const Block& block) {
    const PageEntry* entry = block.find("type");
    if (!entry)
      lines_.refuse(block.line,
                    fmt::format("a block without a type (is it n or k, rows or a formula?); give it "
                                "one, as in `- type: tabulated k` (known: {})",
                                known_types));
    const auto words = split(entry->text, ' ');
    const bool two = words.size() == 2;
    if (two && words[0] == "tabulated" && (words[1] == "nk" || words[1] == "n" || words[1] == "k")) {
      for (const char quantity : words[1]) claim(block, quantity);
      return read_rows(lines_, block, words[1], n_, k_);
    }
    const auto number = two && words[0] == "formula" ? parse_integer(words[1]) : std::nullopt;
    if (!number || *number < 1 || *number > formulas)
      lines_.refuse(entry->line,
                    fmt::format("type '{}' (known: {}); give a page of n and k", entry->text, known_types));
    claim(block, 'n');
    formula_ = read_formula(lines_, block, int(*number));
  }

  NkTable table() {
    if (formula_) n_ = sample(lines_, *formula_, k_);
    return join_curves(lines_.path(), n_, k_, formula_ ? formula_->formula : DispersionFormula{});
  }

 private:
  void claim(const Block& block, char quantity) {
    auto& first = quantity == 'n' ? n_from_ : k_from_;
    if (first)
      lines_.refuse(block.line,
                    fmt::format("{} a second time (the block in line {} gives it, too: which holds?); "
                                "delete one of the two",
                                quantity, *first + 1));
    first = block.line;
  }

  const Lines& lines_;
  Curve n_, k_;
  std::optional<RangedFormula> formula_;
  std::optional<std::size_t> n_from_, k_from_;
};

}  // namespace

NkTable read_nk_database(const Lines& lines) {
  Page page(lines);
  for (const Block& block : blocks_of(lines)) page.take(block);
  NkTable table = page.table();
  table.citation = citation_of(lines);
  for (std::size_t i = 0; i < lines.size() && lines[i].starts_with("#"); ++i)
    if (lines[i].find("CC0") != std::string::npos) table.licence = "CC0 1.0";
  return table;
}

}  // namespace umov::materials
