-- Requests of benchmarks/cores.py and model_cores.py for wrk: -- KIND SEED. The target names the size of the body, and
-- whether it may be stored (benchmarks/floor.c).
local threads, objects = 0, 1000

function setup(thread)
    threads = threads + 1
    thread:set("id", threads)
end

function init(args)
    kind, n = args[1], 0
    prefix = args[2] .. "-" .. id .. "-"
    math.randomseed(tonumber(args[2]) * 1000 + id)
end

local function get(target, fields)
    return "GET " .. target .. " HTTP/1.1\r\nHost: bench\r\n" .. (fields or "") .. "\r\n"
end

local requests = {
    many = function() return get("/gen/100?as=" .. math.random(objects)) end,
    hot = function() return get("/gen/100?as=1") end,
    miss = function() n = n + 1 return get("/gen/1000?as=" .. prefix .. n) end,
    pass = function() return get("/gen/1000?pass") end,
    ["hit-for-miss"] = function() return get("/gen/1000") end,
    connection = function() return get("/gen/100?as=1", "Connection: close\r\n") end,
}

function request()
    return requests[kind]()
end
