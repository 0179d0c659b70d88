// Formulas in E: a recursive-descent parser that writes instructions of a stack machine.
#include <cctype>
#include <charconv>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/materials/curve_table.hpp"

namespace umov::eqs {

namespace {

struct Function {
  const char* name;
  CurveOp::Code code;
  int arguments;
};
constexpr Function functions[] = {
    {"exp", CurveOp::exp, 1},   {"log", CurveOp::log, 1},   {"ln", CurveOp::log, 1},
    {"sqrt", CurveOp::sqrt, 1}, {"tanh", CurveOp::tanh, 1}, {"abs", CurveOp::abs, 1},
    {"min", CurveOp::min, 2},   {"max", CurveOp::max, 2},   {"pow", CurveOp::power, 2}};

class Parser {
 public:
  Parser(const std::string& text, const std::string& what) : text_(text), what_(what) {}

  std::vector<CurveOp> run() {
    sum();
    if (!peek_end()) fail("unexpected '" + std::string(1, text_[at_]) + "'");
    return std::move(ops_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw BadInput(
        what_ + ": formula '" + text_ + "', character " + std::to_string(at_ + 1) + ": " + why +
        " (known: numbers, E in V/m, + - * / ^, parentheses, exp log sqrt tanh abs min max pow, pi)");
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool peek_end() {
    skip();
    return at_ == text_.size();
  }
  bool accept(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail("expected '" + std::string(1, c) + "'");
  }
  void emit(CurveOp::Code code, double value, int change) {
    depth_ += change;
    if (depth_ > curve_stack) fail("too deeply nested; write it with fewer open parentheses");
    ops_.push_back({code, value});
  }

  void sum() {
    product();
    for (;;) {
      if (accept('+')) {
        product();
        emit(CurveOp::add, 0, -1);
      } else if (accept('-')) {
        product();
        emit(CurveOp::subtract, 0, -1);
      } else {
        return;
      }
    }
  }
  void product() {
    sign();
    for (;;) {
      if (accept('*')) {
        sign();
        emit(CurveOp::multiply, 0, -1);
      } else if (accept('/')) {
        sign();
        emit(CurveOp::divide, 0, -1);
      } else {
        return;
      }
    }
  }
  void sign() {
    if (accept('-')) {
      nested([this] { sign(); });
      emit(CurveOp::negate, 0, 0);
    } else {
      accept('+');
      power();
    }
  }
  void power() {
    primary();
    if (accept('^')) {
      nested([this] { sign(); });
      emit(CurveOp::power, 0, -1);
    }
  }
  /// Guards the parser's own recursion.
  template <class F>
  void nested(const F& f) {
    if (++nesting_ > 200) fail("too deeply nested");
    f();
    --nesting_;
  }
  void primary() {
    skip();
    if (at_ >= text_.size()) fail("something is missing at the end");
    const unsigned char c = text_[at_];
    if (accept('(')) {
      nested([this] { sum(); });
      expect(')');
    } else if (std::isdigit(c) || c == '.') {
      double v = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
      if (error != std::errc()) fail("not a number");
      at_ = std::size_t(end - text_.data());
      emit(CurveOp::number, v, 1);
    } else if (std::isalpha(c)) {
      word();
    } else {
      fail("expected a number, E, a function or '('");
    }
  }
  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    if (name == "E") return emit(CurveOp::field, 0, 1);
    if (name == "pi") return emit(CurveOp::number, pi, 1);
    for (const Function& f : functions) {
      if (name != f.name) continue;
      expect('(');
      for (int k = 0; k < f.arguments; ++k) {
        if (k) expect(',');
        nested([this] { sum(); });
      }
      expect(')');
      return emit(f.code, 0, 1 - f.arguments);
    }
    at_ = begin;
    fail("unknown name '" + name + "'");
  }

  const std::string& text_;
  const std::string& what_;
  std::vector<CurveOp> ops_;
  std::size_t at_ = 0;
  int depth_ = 0, nesting_ = 0;
};

}  // namespace

std::vector<CurveOp> parse_formula(const std::string& text, const std::string& what) {
  return Parser(text, what).run();
}

}  // namespace umov::eqs
