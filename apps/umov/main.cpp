// The program umov: hands its arguments to the library.
#include <string>
#include <vector>

#include "run/program.hpp"

int main(int count, char** words) {
  const std::vector<std::string> args(words + (count > 0 ? 1 : 0), words + count);
  return umov::run::run_program(args);
}
