// The program umov.
#include "commands/all.hpp"
#include "program/program.hpp"

int main(int count, char** words) { return umov::program::start(count, words, umov::commands::all()); }
