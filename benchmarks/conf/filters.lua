-- Requests of benchmarks/filters.py for wrk: -- KIND SEED BYTES. "gzip": the page under a new name each time,
-- for a client that accepts gzip; "gunzip": for a client that does not; "esi": the page with includes; "range":
-- 64 KB anywhere in an object of BYTES.
local threads = 0

function setup(thread)
    threads = threads + 1
    thread:set("id", threads)
end

function init(args)
    kind, prefix, bytes, n = args[1], args[2] .. "-" .. id .. "-", tonumber(args[3]), 0
    math.randomseed(tonumber(args[2]) * 1000 + id)
end

local function get(target, fields)
    return "GET " .. target .. " HTTP/1.1\r\nHost: bench\r\n" .. fields .. "\r\n"
end

function request()
    n = n + 1
    if kind == "gzip" then
        return get("/page.html?" .. prefix .. n, "Accept-Encoding: gzip\r\n")
    elseif kind == "gunzip" then
        return get("/page.html", "")
    elseif kind == "esi" then
        return get("/esi.html", "")
    end
    local first = math.random(0, bytes - 65536)
    return get("/big.bin", "Range: bytes=" .. first .. "-" .. first + 65535 .. "\r\n")
end
