#!/bin/bash
# METIS leaves parts empty although there are more vertices than parts, and reports success.
#
# Package    METIS 5.1.0 (libmetis5=5.1.0.dfsg-7, libmetis-dev=5.1.0.dfsg-7, Debian 12)
# Behaviour  METIS_PartGraphKway returns METIS_OK with some part numbers unused once there are fewer than about two
#            vertices a part, with default options. METIS_PartGraphRecursive uses all of them on the same graphs, but
#            for the very smallest parts (20 vertices in 19).
# Seen       a path of 8 vertices in 5 parts: 1 empty; 20 in 11: 2 empty; 20 in 20: 12 empty, all METIS_OK
# Expected   one vertex a part when there are as many parts as vertices
# Who        Whoever partitions a coarse mesh, a coarse multigrid level or a test case among many ranks: a rank without
#            elements has no surface, no neighbours and no minimum, and the first reduction over an empty range fails,
#            in the smallest cases only.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends libmetis5=5.1.0.dfsg-7 libmetis-dev=5.1.0.dfsg-7 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > path.c <<'END'
#include <metis.h>
#include <stdio.h>

typedef int Partition(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, real_t *, real_t *, idx_t *,
                      idx_t *, idx_t *);

static void count(const char *name, Partition *partition, idx_t n, idx_t parts) {
  idx_t one = 1, cut, start[64], neighbour[128], part[64], used[64] = {0}, edges = 0;
  for (idx_t i = 0; i < n; ++i) {
    start[i] = edges;
    if (i > 0) neighbour[edges++] = i - 1;
    if (i < n - 1) neighbour[edges++] = i + 1;
  }
  start[n] = edges;
  int code = partition(&n, &one, start, neighbour, 0, 0, 0, &parts, 0, 0, 0, &cut, part);
  int empty = (int)parts;
  for (idx_t i = 0; i < n; ++i) empty -= !used[part[i]]++;
  printf("%s %d vertices %d parts: %s, %d empty\n", name, (int)n, (int)parts, code == METIS_OK ? "METIS_OK" : "error", empty);
}

int main(void) {
  idx_t cases[][2] = {{8, 2}, {8, 5}, {20, 11}, {20, 20}};
  for (int i = 0; i < 4; ++i) {
    count("kway", METIS_PartGraphKway, cases[i][0], cases[i][1]);
    count("recursive", METIS_PartGraphRecursive, cases[i][0], cases[i][1]);
  }
}
END
cc -I root/usr/include path.c -o path -L root/usr/lib/x86_64-linux-gnu -lmetis
./path | tee seen.txt

grep -q "^kway 8 vertices 2 parts: METIS_OK, 0 empty" seen.txt
for case in "8 vertices 5" "20 vertices 11" "20 vertices 20"; do
  grep -q "^kway $case parts: METIS_OK, [1-9]" seen.txt
done
grep -q "^recursive 8 vertices 5 parts: METIS_OK, 0 empty" seen.txt
grep -q "^recursive 20 vertices 11 parts: METIS_OK, 0 empty" seen.txt
