// The part of umov that computes particles: `make demo` builds it first, and shows its pictures before it
// builds the rest.
#include "commands/particles/list.hpp"
#include "program/program.hpp"

int main(int count, char** words) { return umov::program::start(count, words, umov::commands::particles()); }
