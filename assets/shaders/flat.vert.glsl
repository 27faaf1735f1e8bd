// Bodies without shading: shadow map and selection mask.
layout(location = 0) in vec3 point;
uniform mat4 camera;

void main() {
    gl_Position = camera * vec4(world_point(point), 1.0);
}
