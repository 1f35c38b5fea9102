# Parses Ruby sources to trees and counts what is in them: methods by their length in nodes, and the kinds of nodes.
require "ripper"

kinds = Hash.new(0)
longest = []
walk = lambda do |node|
  next 0 unless node.is_a?(Array)
  kinds[node.first] += 1 if node.first.is_a?(Symbol)
  size = 1 + node.sum { |child| walk.call(child) }
  longest << [size, node[1][1]] if node.first == :def
  size
end
ARGV.each do |name|
  tree = Ripper.sexp(File.read(name)) or abort "#{name}: cannot be parsed"
  puts "#{walk.call(tree)} #{name}"
end
kinds.sort_by { |kind, count| [-count, kind] }.first(20).each { |kind, count| puts "#{kind} #{count}" }
longest.max(10).each { |size, name| puts "#{name} #{size}" }
