#include "run/run.hpp"
int main() { umov::dda::Simulation s; auto o = umov::run::run_dda(s); return o.converged ? 0 : 3; }
