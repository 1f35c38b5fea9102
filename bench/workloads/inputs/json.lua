-- Reads JSON files to tables, writes them out laid out and in one line, and reads what it wrote.
package.path = "/usr/share/lua/5.4/?.lua;" .. package.path
local json = require "dkjson"

local function count(value)
  if type(value) ~= "table" then return 1 end
  local total = 1
  for _, child in pairs(value) do total = total + count(child) end
  return total
end

for _, name in ipairs(arg) do
  local file = assert(io.open(name))
  local value = assert(json.decode(file:read "a"))
  file:close()
  for _, indent in ipairs { true, false } do
    local text = json.encode(value, { indent = indent })
    print(name, #text, count(value), count(assert(json.decode(text))))
  end
end
