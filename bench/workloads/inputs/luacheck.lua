-- Checks Lua sources as the command luacheck does (which asks for Lua 5.1), and prints how much it found in each.
package.path = "/usr/share/lua/5.1/?.lua;/usr/share/lua/5.1/?/init.lua;" .. package.path
local luacheck = require "luacheck"

local sources = {}
for i, name in ipairs(arg) do
  local file = assert(io.open(name))
  sources[i] = file:read "a"
  file:close()
end
for i, found in ipairs(luacheck.check_strings(sources)) do
  print(arg[i], #found)
end
