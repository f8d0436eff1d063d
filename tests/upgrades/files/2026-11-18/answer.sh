#!/bin/sh
echo 'MOVE: +1'
