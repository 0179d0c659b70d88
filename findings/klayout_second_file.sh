#!/bin/bash
# KLayout halves or doubles what a layout holds when a second GDS file with another database unit is read into it.
#
# Package    KLayout 0.28.5 (klayout=0.28.5-2, Debian 12)
# Behaviour  Coordinates are integers times the layout's database unit. Layout.read takes over the unit of each file that it
#            reads and leaves the integers that are there as they are: the old cells change their size. OASIS files do the
#            same, and a layout drawn in a script in 0.1 nm becomes ten times larger when a usual file of 1 nm is read.
# Seen       square of 1 um from a file of 1 nm, then one of 1 um from a file of 0.5 nm: the first is 0.5 um; the other way
#            round 2 um; drawn in 0.1 nm, then a file of 1 nm: 10 um
# Expected   1 um for both, by scaling either, or an error
# Who        Whoever puts the cells of two programs or of two foundries into one layout by a script. The second file is
#            right, and no message is given.
# Way out    a layout of its own for each file, and copy_tree, which scales; or the same unit everywhere

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends klayout=0.28.5-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export LD_LIBRARY_PATH="$work/root/usr/lib/klayout:$LD_LIBRARY_PATH" HOME="$work" QT_QPA_PLATFORM=offscreen
cat > two.rb <<'END_RUBY'
def drawn(name, dbu)
  layout = RBA::Layout.new
  layout.dbu = dbu
  layout.create_cell(name).shapes(layout.layer(1, 0)).insert(RBA::DBox.new(0, 0, 1, 1))
  layout
end

def say(text, layout)
  puts "seen #{text}: " + layout.top_cells.map { |cell| "#{cell.name} #{cell.dbbox.width.round(4)} um" }.sort.join(", ")
end

%w(gds oas).each do |type|
  drawn("ONE", 0.001).write("one.#{type}")
  drawn("HALF", 0.0005).write("half.#{type}")
  [%w(one half), %w(half one)].each do |names|
    layout = RBA::Layout.new
    names.each { |name| layout.read("#{name}.#{type}") }
    say("#{type} #{names.join(' then ')}", layout)
  end
end
layout = drawn("MINE", 0.0001)
layout.read("one.gds")
say("drawn in 0.1 nm", layout)

layout = drawn("MINE", 0.0001)
other = RBA::Layout.new
other.read("one.gds")
layout.create_cell("COPY").copy_tree(other.top_cell)
say("copy_tree", layout)
END_RUBY
root/usr/lib/klayout/klayout -b -zz -r two.rb 2>&1 | grep "^seen" | tee seen.txt

grep -q "^seen gds one then half: HALF 1.0 um, ONE 0.5 um" seen.txt
grep -q "^seen gds half then one: HALF 2.0 um, ONE 1.0 um" seen.txt
grep -q "^seen oas one then half: HALF 1.0 um, ONE 0.5 um" seen.txt
grep -q "^seen oas half then one: HALF 2.0 um, ONE 1.0 um" seen.txt
grep -q "^seen drawn in 0.1 nm: MINE 10.0 um, ONE 1.0 um" seen.txt
grep -q "^seen copy_tree: COPY 1.0 um, MINE 1.0 um" seen.txt
